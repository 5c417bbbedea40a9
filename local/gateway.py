"""What the emulator's import of the API definition leaves out: its gateway responses.

On AWS they are part of the definition and so of every deployment. Here the same ones are read from
the deployed template and put one by one; a further deployment of the stage puts them in force.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mypy_boto3_apigateway import APIGatewayClient

EXTENSION = "x-amazon-apigateway-gateway-responses"


def put_gateway_responses(
    gateway: "APIGatewayClient", api_id: str, stage: str, processed: dict[str, Any]
) -> None:
    """Put the responses that `processed`, the template after SAM's transform, defines."""
    definition = next(
        resource["Properties"]["Body"]
        for resource in processed["Resources"].values()
        if resource["Type"] == "AWS::ApiGateway::RestApi"
    )
    for kind, response in definition[EXTENSION].items():
        gateway.put_gateway_response(
            restApiId=api_id,
            responseType=kind,
            statusCode=str(response["statusCode"]),
            responseParameters=response["responseParameters"],
            responseTemplates=response["responseTemplates"],
        )
    gateway.create_deployment(restApiId=api_id, stageName=stage)
